// The payload as numbers at hand: confusion matrices, values of measures per fold, their means over folds.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { Matrix, find } = explorer.measures;
  const { moments } = explorer.numbers;
  const REMEMBERED = 60;

  const readNumber = (value) =>
    value === null ? NaN : value === "inf" ? Infinity : value === "-inf" ? -Infinity : value;

  class Model {
    constructor(payload) {
      this.payload = payload;
      this.classes = payload.classes;
      this.columns = payload.columns;
      this.size = payload.index.length;
      this.averaged = payload.averaged;
      this.folds = Math.max(1, payload.folds.length);
      this.counts = Float64Array.from(payload.counts);
      this.cells = this.classes.length * this.columns;
      this.names = payload.measures.map((measure) => measure.name);
      this.lower = payload.lower ?? false; // whether low scores test positive
      this.thresholds = payload.thresholds && payload.thresholds.map(readNumber);
      this.ownMeasures = new Map(
        Object.entries(payload.own_measures ?? {}).map(([name, values]) => [name, values.map(readNumber)]),
      );
      this.matrix = new Matrix(this.classes.length, this.columns);
      this.remembered = new Map();
    }

    label(name) {
      return this.payload.measures.find((measure) => measure.name === name)?.label ?? name;
    }

    // A label inside of a sentence: names and abbreviations keep their capitals.
    inText(name) {
      const label = this.label(name);
      return label !== name && /^[A-Z][a-z]/.test(label) && !label.startsWith("Youden") ? label[0].toLowerCase() + label.slice(1) : label;
    }

    // An axis has the names of both worlds: that of the field and that of the rate.
    axisLabel(name) {
      return { tpr: "Sensitivity (TPR)", fpr: "1 \u2212 specificity (FPR)" }[name] ?? this.label(name);
    }

    // Whether this is a test with a cut-off: two classes, none left undecided.
    get isTest() {
      return this.classes.length === 2 && this.columns === 2;
    }

    knows(name) {
      return this.ownMeasures.has(name) || find(name, this.classes) !== null;
    }

    text(kind, point) {
      const texts = this.payload[kind];
      return texts === null ? null : texts.before + texts.parts[point] + texts.after;
    }

    // Prevalence and cost that hold: those of the reader, else those that the result was made with.
    prevalence(value) {
      return value ?? this.payload.prevalence ?? null;
    }

    cost(value) {
      return value ?? this.payload.cost ?? null;
    }

    // Values of a measure at one point, one per fold.
    valuesAt(name, point, prevalence = null, cost = null) {
      if (this.ownMeasures.has(name)) {
        return this.ownMeasures.get(name).slice(point * this.folds, (point + 1) * this.folds);
      }
      const measure = find(name, this.classes);
      const held = [this.prevalence(prevalence), this.cost(cost)];
      return Array.from({ length: this.folds }, (_, fold) =>
        measure(this.matrix.at(this.counts, (point * this.folds + fold) * this.cells), ...held),
      );
    }

    momentsAt(name, point, prevalence = null, cost = null) {
      return moments(this.valuesAt(name, point, prevalence, cost), 0, this.folds);
    }

    // Values at all points and folds, point by point.
    values(name, prevalence = null, cost = null) {
      return this.remember(JSON.stringify(["values", name, prevalence, cost]), () => {
        if (this.ownMeasures.has(name)) return Float64Array.from(this.ownMeasures.get(name));
        const measure = find(name, this.classes);
        const held = [this.prevalence(prevalence), this.cost(cost)];
        return Float64Array.from({ length: this.size * this.folds }, (_, k) =>
          measure(this.matrix.at(this.counts, k * this.cells), ...held),
        );
      });
    }

    // Mean over the folds at every point; of one set of cases the value itself.
    means(name, prevalence = null, cost = null) {
      return this.remember(JSON.stringify(["means", name, prevalence, cost]), () => {
        const values = this.values(name, prevalence, cost);
        if (!this.averaged) return values;
        return Float64Array.from(
          { length: this.size },
          (_, point) => moments(values, point * this.folds, this.folds).mean,
        );
      });
    }

    // Confusion matrix of all folds together, as rows.
    confusion(point) {
      return this.classes.map((_, r) =>
        Array.from({ length: this.columns }, (_, c) => {
          let sum = 0;
          for (let fold = 0; fold < this.folds; fold++) {
            sum += this.counts[(point * this.folds + fold) * this.cells + r * this.columns + c];
          }
          return sum;
        }),
      );
    }

    // Share of a true class that is decided so: mean over the folds and its standard error. Of one set of cases
    // the binomial one; with `minus` the difference from another point, which has none there.
    rateAt(point, r, c, minus = null) {
      const share = (at, fold) => {
        const row = (at * this.folds + fold) * this.cells + r * this.columns;
        let size = 0;
        for (let k = 0; k < this.columns; k++) size += this.counts[row + k];
        return size === 0 ? NaN : this.counts[row + c] / size;
      };
      const shares = Array.from({ length: this.folds }, (_, fold) =>
        minus === null ? share(point, fold) : share(point, fold) - share(minus, fold),
      );
      const { mean, sd, n } = moments(shares, 0, this.folds);
      if (this.averaged) return { mean, se: sd / Math.sqrt(n) };
      return { mean, se: minus === null ? Math.sqrt((mean * (1 - mean)) / this.classSizes()[r]) : NaN };
    }

    pooled(point) {
      return new Matrix(this.classes.length, this.columns).at(this.confusion(point).flat(), 0);
    }

    // Standard error and interval of a measure of one set of cases; null for weighted ones, and where it is 0/0.
    estimateAt(name, point, level, prevalence = null, cost = null) {
      if (this.averaged || !this.payload.counted || this.ownMeasures.has(name)) return null;
      const held = [this.prevalence(prevalence), this.cost(cost)];
      return explorer.intervals.estimate(name, this.pooled(point), ...held, this.payload.z[level], this.classes);
    }

    // The score of every case by class, with the number of its threshold; for whole curves of counted cases.
    cases() {
      return this.classes.map((_, r) => {
        const found = [];
        for (let k = 1; k < this.size; k++) {
          const passed = (point) => this.counts[point * this.cells + r * this.columns + 1];
          for (let n = passed(k) - passed(k - 1); n > 0; n--) found.push({ score: this.thresholds[k], point: k });
        }
        return found;
      });
    }

    classSizes() {
      return this.confusion(0).map((row) => row.reduce((sum, n) => sum + n, 0));
    }

    remember(key, make) {
      if (!this.remembered.has(key)) {
        if (this.remembered.size > REMEMBERED) this.remembered.clear();
        this.remembered.set(key, make());
      }
      return this.remembered.get(key);
    }
  }

  explorer.Model = Model;
  explorer.readNumber = readNumber;
})();
