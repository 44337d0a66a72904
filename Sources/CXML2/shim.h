// SAX interfaces only: the library's tree, with its own limits and its own memory, is not used.
#include <libxml/xmlversion.h>

// Debian's libxml2 pulls in ICU's headers, which clash with those of Foundation. They only add fields to a structure
// that is used by pointer here.
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
