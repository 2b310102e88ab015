import FluxLog

extension CommandArguments {
  /// The text before `if`, and the expression after it.
  func subjectAndCondition() throws(CommandError) -> (subject: String, StepExpression?) {
    let line = LineScanner(text)
    let words = line.words(in: line.scalars.indices)
    guard let place = words.firstIndex(where: { line.text($0) == "if" }) else {
      return (text, nil)
    }
    let condition = line.text(words[place].upperBound..<line.scalars.count)
    return (line.text(0..<words[place].lowerBound), try expression(condition))
  }

  /// The number of a stop point.
  func stopPointNumber() throws(CommandError) -> Int {
    guard let number = words.first.flatMap({ Int($0) }), number > 0 else {
      throw usage("expected the number of a stop point", hint: "'breakpoints' lists them")
    }
    return number
  }
}

extension CommandError {
  /// The error that says that there is no such stop point.
  static func noStopPoint(_ number: Int) -> CommandError {
    CommandError(.notFound, "no stop point \(number)", hint: "'breakpoints' lists them")
  }
}
