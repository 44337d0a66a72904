#include "CMalloc.h"

#include <malloc.h>

void cmalloc_give_back(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
