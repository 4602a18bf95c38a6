//! Enumerates, measures, ranks and remembers
