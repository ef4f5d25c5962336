#include <stddef.h>

#include "cembeddedfiles.h"

// As in page.c.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char history[] = {
#embed "../../../Fixtures/history/demo/lighthouse-year.jsonl"
};
static const unsigned char batteries[] = {
#embed "../../../Fixtures/history/demo/pictures/batteries.png"
};
static const unsigned char cake[] = {
#embed "../../../Fixtures/history/demo/pictures/cake.png"
};
static const unsigned char lens[] = {
#embed "../../../Fixtures/history/demo/pictures/lens.png"
};
static const unsigned char letter[] = {
#embed "../../../Fixtures/history/demo/pictures/letter.png"
};
static const unsigned char petrel[] = {
#embed "../../../Fixtures/history/demo/pictures/petrel.png"
};
static const unsigned char pup[] = {
#embed "../../../Fixtures/history/demo/pictures/pup.png"
};

const struct embedded_file *embedded_demo_files(void) {
  static const struct embedded_file files[] = {
      {"lighthouse-year.jsonl", history, sizeof history},
      {"pictures/batteries.png", batteries, sizeof batteries},
      {"pictures/cake.png", cake, sizeof cake},
      {"pictures/lens.png", lens, sizeof lens},
      {"pictures/letter.png", letter, sizeof letter},
      {"pictures/petrel.png", petrel, sizeof petrel},
      {"pictures/pup.png", pup, sizeof pup},
      {NULL, NULL, 0},
  };
  return files;
}
