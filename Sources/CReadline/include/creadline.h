// A narrow face of GNU readline: its globals and variadics stay in C.
#pragma once
