#include "CBuild.h"

#ifndef DOSSIER_COMMIT
#define DOSSIER_COMMIT unknown
#endif

#define TEXT_OF(macro) #macro
#define TEXT(macro) TEXT_OF(macro)

const char *cbuild_commit(void) { return TEXT(DOSSIER_COMMIT); }
