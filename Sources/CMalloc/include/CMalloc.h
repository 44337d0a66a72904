#ifndef CMALLOC_H
#define CMALLOC_H

/// Gives pages that hold nothing any more back to the system. The C library does so by itself only at the end of its
/// heap; Swift's module of glibc does not show `malloc_trim`.
void cmalloc_give_back(void);

#endif
