//! Every code block of the book, compiled and run as a doc test.
