// Measures of one confusion matrix, the twins of core/measures.py: the same quotients in the same order.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});

  const ALIASES = {
    sensitivity: "tpr",
    recall: "tpr",
    specificity: "tnr",
    ppv: "precision",
    acc: "accuracy",
    dor: "odds_ratio",
  };
  const TWO_CLASS = [
    "tpr", "fpr", "tnr", "fnr", "precision", "npv", "f1", "youden", "lr_pos", "lr_neg",
    "kappa", "mcc", "odds_ratio", "lift", "detection_prevalence",
  ];

  const ratio = (above, below) => (below === 0 ? NaN : above / below);

  // A matrix of C true classes by D decisions (one more where cases are rejected), read from a flat array.
  class Matrix {
    constructor(classes, columns) {
      this.classes = classes;
      this.columns = columns;
      this.rows = new Float64Array(classes);
    }

    at(cells, from) {
      this.cells = cells;
      this.from = from;
      for (let r = 0; r < this.classes; r++) {
        let sum = 0;
        for (let c = 0; c < this.columns; c++) sum += cells[from + r * this.columns + c];
        this.rows[r] = sum;
      }
      return this;
    }

    cell(r, c) {
      return this.cells[this.from + r * this.columns + c];
    }

    rate(r, c) {
      return ratio(this.cell(r, c), this.rows[r]);
    }

    total() {
      return this.rows.reduce((sum, row) => sum + row, 0);
    }

    // Shares of the true classes: as counted, or as set for the population.
    share(r, prevalence) {
      if (prevalence === null) return ratio(this.rows[r], this.total());
      if (Array.isArray(prevalence)) return prevalence[r];
      return r === 1 ? prevalence : 1 - prevalence;
    }

    wrong(r) {
      let sum = 0;
      for (let c = 0; c < this.classes; c++) if (c !== r) sum += this.cell(r, c);
      return sum;
    }

    rejected(r) {
      return this.columns > this.classes ? this.cell(r, this.classes) : 0;
    }

    classError(r) {
      return ratio(this.wrong(r), this.rows[r]);
    }
  }

  // A count per true class as a share of all cases, or weighed by the shares of a population.
  function weighed(m, prevalence, count) {
    let sum = 0;
    for (let r = 0; r < m.classes; r++) {
      sum += prevalence === null ? count(r) : ratio(count(r), m.rows[r]) * m.share(r, prevalence);
    }
    return prevalence === null ? ratio(sum, m.total()) : sum;
  }

  function predictive(m, decided, prevalence) {
    let sum = 0;
    let right = 0;
    for (let r = 0; r < m.classes; r++) {
      const part = prevalence === null ? m.cell(r, decided) : m.rate(r, decided) * m.share(r, prevalence);
      sum += part;
      if (r === decided) right = part;
    }
    return ratio(right, sum);
  }

  function f1(m, prevalence) {
    const part = (r, c) => (prevalence === null ? m.cell(r, c) : m.rate(r, c) * m.share(r, prevalence));
    let positive = 0;
    for (let c = 0; c < m.columns; c++) positive += part(1, c);
    return ratio(2 * part(1, 1), part(1, 1) + part(0, 1) + positive);
  }

  // TN, FP, FN, TP: counts, or shares at a prevalence.
  function fourCells(m, prevalence) {
    const part = (r, c) => (prevalence === null ? m.cell(r, c) : m.rate(r, c) * m.share(r, prevalence));
    return [part(0, 0), part(0, 1), part(1, 0), part(1, 1)];
  }

  function kappa(m, prevalence) {
    const [tn, fp, fn, tp] = fourCells(m, prevalence);
    return ratio(2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn));
  }

  function mcc(m, prevalence) {
    const [tn, fp, fn, tp] = fourCells(m, prevalence);
    return ratio(tp * tn - fp * fn, Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)));
  }

  const odds = (above, below) => (below === 0 && above > 0 ? Infinity : ratio(above, below));

  function overClasses(m, value) {
    return Array.from({ length: m.classes }, (_, r) => value(r));
  }

  function meanOf(values) {
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  function costMatrix(cost, classes) {
    if (cost !== null) return cost;
    return Array.from({ length: classes }, (_, r) =>
      Array.from({ length: classes }, (_, c) => (r === c ? 0 : 1)),
    );
  }

  function expectedCost(m, prevalence, cost) {
    const table = costMatrix(cost, m.classes);
    const width = Math.min(table[0].length, m.columns);
    let sum = 0;
    for (let r = 0; r < m.classes; r++) {
      let within = 0;
      for (let c = 0; c < width; c++) within += m.rate(r, c) * table[r][c];
      sum += within * m.share(r, prevalence);
    }
    return sum;
  }

  const MEASURES = {
    tpr: (m) => m.rate(1, 1),
    fpr: (m) => m.rate(0, 1),
    tnr: (m) => m.rate(0, 0),
    fnr: (m) => m.rate(1, 0),
    precision: (m, prevalence) => predictive(m, 1, prevalence),
    npv: (m, prevalence) => predictive(m, 0, prevalence),
    accuracy: (m, prevalence) => weighed(m, prevalence, (r) => m.cell(r, r)),
    error: (m, prevalence) => weighed(m, prevalence, (r) => m.wrong(r)),
    balanced_accuracy: (m) => meanOf(overClasses(m, (r) => m.rate(r, r))),
    f1,
    youden: (m) =>
      ratio(m.cell(1, 1) * m.rows[0] - m.cell(0, 1) * m.rows[1], m.rows[1] * m.rows[0]),
    lr_pos: (m) => odds(m.rate(1, 1), m.rate(0, 1)),
    lr_neg: (m) => odds(m.rate(1, 0), m.rate(0, 0)),
    kappa,
    mcc,
    odds_ratio: (m) => odds(m.cell(1, 1) * m.cell(0, 0), m.cell(0, 1) * m.cell(1, 0)),
    lift: (m, prevalence) => ratio(predictive(m, 1, prevalence), m.share(1, prevalence)),
    detection_prevalence: (m, prevalence) => weighed(m, prevalence, (r) => m.cell(r, 1)),
    cost: expectedCost,
    reject_rate: (m, prevalence) => weighed(m, prevalence, (r) => m.rejected(r)),
    "max-class-error": (m) => Math.max(...overClasses(m, (r) => m.classError(r))),
    "mean-class-error": (m) => meanOf(overClasses(m, (r) => m.classError(r))),
  };

  // Number of the class of "error(class)", -1 where there is none of that name; null for another measure.
  function classOf(name, classes) {
    const within = /^error\((.+)\)$/s.exec(name);
    return within === null ? null : classes.indexOf(within[1]);
  }

  // The function of a measure's name, or null where there is none of that name for these classes.
  function find(name, classes) {
    const r = classOf(name, classes);
    if (r !== null) return r < 0 ? null : (m) => m.classError(r);
    const key = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
    if (!Object.hasOwn(MEASURES, key)) return null;
    return TWO_CLASS.includes(key) && classes.length !== 2 ? null : MEASURES[key];
  }

  explorer.measures = { ALIASES, Matrix, costMatrix, classOf, find };
})();
