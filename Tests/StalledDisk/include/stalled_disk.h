// Loaded before the C library into a database server under test, so that a test can make its commits hang, as a disk
// does that takes seconds to write.

/// Writes a file's data to the disk, but not before the file named by STALLED_DISK_FILE is gone.
int fdatasync(int descriptor);
