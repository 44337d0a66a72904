#ifndef CCONSOLE_H
#define CCONSOLE_H

#include <stddef.h>

/// A file of the console, which is a part of the program.
struct cconsole_file {
    /// Below `Console/`.
    const char *path;
    const unsigned char *bytes;
    size_t size;
};

size_t cconsole_count(void);

/// A file by its number, which is below `cconsole_count()`.
struct cconsole_file cconsole_file_at(size_t index);

#endif
