-- `ok`, or what is broken, a line for each.
PRAGMA quick_check(5)
