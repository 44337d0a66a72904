#include <sqlite3.h>

// sqlite3_config is variadic. Without memory statistics, which nobody reads, allocations take no lock.
static inline int sqlite3_config_without_memory_status(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
