//! Tests of the room.

mod loops;
mod measured;
