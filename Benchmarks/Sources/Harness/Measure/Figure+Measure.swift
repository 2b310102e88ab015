extension Suite {
  /// Measures a figure of the suite beside its rivals.
  package func measure(_ figure: Figure, _ sampling: Sampling) throws -> Row {
    let contest = try figure.contest()
    let present = contest.rivals.compactMap { rival -> Work? in
      guard case .here(let work) = rival.presence else { return nil }
      return work
    }
    let values = try sampling.measure([contest.work] + present, in: figure.unit)
    var theirs = values.dropFirst().map(Series.init)[...]
    let rivals = contest.rivals.map { rival in
      switch rival.presence {
      case .here: Row.Rival(name: rival.name, series: theirs.removeFirst(), absence: nil)
      case .absent(let reason): Row.Rival(name: rival.name, series: nil, absence: reason)
      }
    }
    return Row(
      name: title(of: figure), input: contest.input, unit: figure.unit, series: Series(values[0]),
      rivals: rivals, target: figure.target, limit: figure.limit)
  }
}
