#include "page_files.h"

// Every supported compiler has #embed, which is newer than the language of the other targets.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "../FluxPage/Page/index.html" suffix(,)
    0};

static const unsigned char style[] = {
#embed "../FluxPage/Page/style.css" suffix(,)
    0};

// main.js and all that it imports. A module comes after those that it imports.
static const unsigned char script[] = {
#embed "../FluxPage/Page/text.js" suffix(,)
#embed "../FluxPage/Page/dom.js" suffix(,)
#embed "../FluxPage/Page/json.js" suffix(,)
#embed "../FluxPage/Page/values.js" suffix(,)
#embed "../FluxPage/Page/paths.js" suffix(,)
#embed "../FluxPage/Page/glob.js" suffix(,)
#embed "../FluxPage/Page/answers.js" suffix(,)
#embed "../FluxPage/Page/http.js" suffix(,)
#embed "../FluxPage/Page/view.js" suffix(,)
#embed "../FluxPage/Page/ahead.js" suffix(,)
#embed "../FluxPage/Page/page.js" suffix(,)
#embed "../FluxPage/Page/list.js" suffix(,)
#embed "../FluxPage/Page/rows.js" suffix(,)
#embed "../FluxPage/Page/pieces.js" suffix(,)
#embed "../FluxPage/Page/search.js" suffix(,)
#embed "../FluxPage/Page/steprow.js" suffix(,)
#embed "../FluxPage/Page/steps.js" suffix(,)
#embed "../FluxPage/Page/places.js" suffix(,)
#embed "../FluxPage/Page/summary.js" suffix(,)
#embed "../FluxPage/Page/tree.js" suffix(,)
#embed "../FluxPage/Page/menu.js" suffix(,)
#embed "../FluxPage/Page/changed.js" suffix(,)
#embed "../FluxPage/Page/state.js" suffix(,)
#embed "../FluxPage/Page/action.js" suffix(,)
#embed "../FluxPage/Page/compare.js" suffix(,)
#embed "../FluxPage/Page/type.js" suffix(,)
#embed "../FluxPage/Page/writes.js" suffix(,)
#embed "../FluxPage/Page/detail.js" suffix(,)
#embed "../FluxPage/Page/charts.js" suffix(,)
#embed "../FluxPage/Page/scale.js" suffix(,)
#embed "../FluxPage/Page/map.js" suffix(,)
#embed "../FluxPage/Page/gestures.js" suffix(,)
#embed "../FluxPage/Page/overview.js" suffix(,)
#embed "../FluxPage/Page/console.js" suffix(,)
#embed "../FluxPage/Page/keys.js" suffix(,)
#embed "../FluxPage/Page/chrome.js" suffix(,)
#embed "../FluxPage/Page/play.js" suffix(,)
#embed "../FluxPage/Page/app.js" suffix(,)
#embed "../FluxPage/Page/logs.js" suffix(,)
#embed "../FluxPage/Page/main.js" suffix(,)
    0};

// The modules that only reports have.
static const unsigned char report_script[] = {
#embed "../FluxPage/Page/patch.js" suffix(,)
#embed "../FluxPage/Page/align.js" suffix(,)
#embed "../FluxPage/Page/difference.js" suffix(,)
#embed "../FluxPage/Page/report-rows.js" suffix(,)
#embed "../FluxPage/Page/report-states.js" suffix(,)
#embed "../FluxPage/Page/report-tree.js" suffix(,)
#embed "../FluxPage/Page/report-difference.js" suffix(,)
#embed "../FluxPage/Page/report-search.js" suffix(,)
#embed "../FluxPage/Page/report-positions.js" suffix(,)
#embed "../FluxPage/Page/report-overview.js" suffix(,)
#embed "../FluxPage/Page/report.js" suffix(,)
    0};

struct page_files page_files(void) {
    return (struct page_files){document, style, script, report_script};
}
