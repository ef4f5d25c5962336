// What the program was built of. The linker leaves room for it, `.ci/note` writes it into the finished program: a commit
// that were compiled in would have everything compiled anew.
#pragma once

// The commit, or an empty text.
const char *cbuildnote_commit(void);
