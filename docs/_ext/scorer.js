// What the search of Sphinx adds and subtracts: pages that answer questions come before lists of everything.
var Scorer = {
  score: (result) => {
    const [page, , , , score] = result;
    const late = ["changelog", "gallery", "contributing", "architecture", "results_json", "index"];
    const early = ["guide", "start", "decision", "how_good", "operate", "better", "combine", "power", "small_data",
      "many_classes", "ordered_classes", "dependent_cases", "big_data", "for_the_paper", "coming_from"];
    return score + (late.includes(page) || page.startsWith("atlas/") ? -20 : 0) + (early.includes(page) ? 10 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
