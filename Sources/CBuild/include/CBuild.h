#ifndef CBUILD_H
#define CBUILD_H

/// The commit that the program was built from, as the environment of the build told it; "unknown" without one.
///
/// A function: a constant in the header would have every file that imports it compiled again for each commit.
const char *cbuild_commit(void);

#endif
