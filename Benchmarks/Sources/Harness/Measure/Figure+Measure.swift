extension Suite {
  /// Measures a figure of the suite beside its rivals.
  package func measure(_ figure: Figure, _ sampling: Sampling, _ control: Control) throws -> Row {
    let contest = try figure.contest()
    let present = contest.rivals.compactMap { rival -> Work? in
      guard case .here(let work) = rival.presence else { return nil }
      return work
    }
    let yardstick = figure.yardstick
    let measure = try yardstick.map { [try $0.work(in: figure.unit)] } ?? []
    let outcomes = try sampling.measure(
      [contest.work] + measure + present, in: figure.unit, on: figure.cores, control)
    var theirs = outcomes.dropFirst()
    let taken = yardstick.map { Row.Rival(name: $0.plural, theirs.removeFirst()) }
    let rivals = contest.rivals.map { rival in
      switch rival.presence {
      case .here: Row.Rival(name: rival.name, theirs.removeFirst())
      case .absent(let reason): Row.Rival(name: rival.name, series: nil, absence: reason)
      }
    }
    return Row(
      name: title(of: figure), input: contest.input, unit: figure.unit,
      series: Series(outcomes[0].values), rivals: rivals, yardstick: taken, target: figure.target,
      limit: figure.limit, rounds: outcomes[0].rounds)
  }
}

extension Row.Rival {
  fileprivate init(name: String, _ outcome: Sampling.Outcome) {
    self.init(
      name: name, series: Series(outcome.values), absence: nil,
      rounds: outcome.rounds)
  }
}
