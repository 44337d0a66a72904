#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled JSON Schema. Any number of threads may validate with it at once. */
typedef struct cvalijson_schema cvalijson_schema;

typedef enum {
    CVALIJSON_NO = 0,
    CVALIJSON_YES = 1,
    CVALIJSON_ERROR = 2,
} cvalijson_answer;

/* One finding: the steps from the root, each in brackets, and the validator's words. */
typedef void (*cvalijson_report)(void *context, const char *path, const char *message);

/* Compiles a schema. Returns NULL and sets *error, which the caller frees with cvalijson_free, when it cannot. */
cvalijson_schema *cvalijson_compile(const char *json, size_t length, char **error);

void cvalijson_destroy(cvalijson_schema *schema);

/* Whether a value is valid. report may be NULL. */
cvalijson_answer cvalijson_validate(cvalijson_schema *schema, const char *json, size_t length,
                                    cvalijson_report report, void *context, char **error);

/* Whether a pattern is found in a text, by the very rules that validation uses. */
cvalijson_answer cvalijson_matches(const char *pattern, const char *text, size_t length, char **error);

/* The longest text in bytes that a pattern is tried on; a longer one is an error. */
size_t cvalijson_longest_matched_text(void);

void cvalijson_free(char *text);

#ifdef __cplusplus
}
#endif
