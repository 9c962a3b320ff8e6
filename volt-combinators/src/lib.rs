//! Futures composed: map, then, join, race, select, groups.
#![no_std]
