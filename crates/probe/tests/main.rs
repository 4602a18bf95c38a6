//! Tests of the room.

mod loops;
mod measured;
mod synthetic;
