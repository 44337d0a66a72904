// The files of Console/, as Scripts/embed-console lists them.
#include "CConsole.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../Console/api.js"
};

static const unsigned char file_1[] = {
#embed "../../Console/console.css"
};

static const unsigned char file_2[] = {
#embed "../../Console/dom.js"
};

static const unsigned char file_3[] = {
#embed "../../Console/events-worker.js"
};

static const unsigned char file_4[] = {
#embed "../../Console/events.js"
};

static const unsigned char file_5[] = {
#embed "../../Console/figures.js"
};

static const unsigned char file_6[] = {
#embed "../../Console/format.js"
};

static const unsigned char file_7[] = {
#embed "../../Console/hub.js"
};

static const unsigned char file_8[] = {
#embed "../../Console/icon.svg"
};

static const unsigned char file_9[] = {
#embed "../../Console/index.html"
};

static const unsigned char file_10[] = {
#embed "../../Console/live.js"
};

static const unsigned char file_11[] = {
#embed "../../Console/main.js"
};

static const unsigned char file_12[] = {
#embed "../../Console/parts.js"
};

static const unsigned char file_13[] = {
#embed "../../Console/screens/filings.js"
};

static const unsigned char file_14[] = {
#embed "../../Console/screens/job.js"
};

static const unsigned char file_15[] = {
#embed "../../Console/screens/jobs.js"
};

static const unsigned char file_16[] = {
#embed "../../Console/screens/learning.js"
};

static const unsigned char file_17[] = {
#embed "../../Console/screens/operators.js"
};

static const unsigned char file_18[] = {
#embed "../../Console/screens/prompts.js"
};

static const unsigned char file_19[] = {
#embed "../../Console/screens/reports.js"
};

static const unsigned char file_20[] = {
#embed "../../Console/screens/service.js"
};

static const unsigned char file_21[] = {
#embed "../../Console/screens/start.js"
};

static const unsigned char file_22[] = {
#embed "../../Console/screens/users.js"
};

static const unsigned char file_23[] = {
#embed "../../Console/stream.js"
};

static const unsigned char file_24[] = {
#embed "../../Console/timeline.js"
};

static const struct cconsole_file files[] = {
    {"api.js", file_0, sizeof file_0},
    {"console.css", file_1, sizeof file_1},
    {"dom.js", file_2, sizeof file_2},
    {"events-worker.js", file_3, sizeof file_3},
    {"events.js", file_4, sizeof file_4},
    {"figures.js", file_5, sizeof file_5},
    {"format.js", file_6, sizeof file_6},
    {"hub.js", file_7, sizeof file_7},
    {"icon.svg", file_8, sizeof file_8},
    {"index.html", file_9, sizeof file_9},
    {"live.js", file_10, sizeof file_10},
    {"main.js", file_11, sizeof file_11},
    {"parts.js", file_12, sizeof file_12},
    {"screens/filings.js", file_13, sizeof file_13},
    {"screens/job.js", file_14, sizeof file_14},
    {"screens/jobs.js", file_15, sizeof file_15},
    {"screens/learning.js", file_16, sizeof file_16},
    {"screens/operators.js", file_17, sizeof file_17},
    {"screens/prompts.js", file_18, sizeof file_18},
    {"screens/reports.js", file_19, sizeof file_19},
    {"screens/service.js", file_20, sizeof file_20},
    {"screens/start.js", file_21, sizeof file_21},
    {"screens/users.js", file_22, sizeof file_22},
    {"stream.js", file_23, sizeof file_23},
    {"timeline.js", file_24, sizeof file_24},
};

size_t cconsole_count(void) { return sizeof files / sizeof files[0]; }

struct cconsole_file cconsole_file_at(size_t index) { return files[index]; }
