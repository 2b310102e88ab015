/// Logs with random changes, rejected steps, causes and gaps.
enum RandomLog {
  /// Every step replaces whole states: what a step writes need not change anything.
  static func lines(
    _ random: inout some RandomNumberGenerator, steps count: Int
  ) -> [String] {
    var lines = [
      #"{"flux":"1.0","first":1,"stores":{"a":{"initial":0},"b":{"initial":{"items":[{"n":0}]}}}}"#
    ]
    var number = 0
    var isAfterGap = false
    while number < count {
      number += 1
      if number > 1, Int.random(in: 0..<15, using: &random) == 0 {
        lines.append(#"{"gap":{"from":\#(number),"to":\#(number),"why":"paused"}}"#)
        isAfterGap = true
        continue
      }
      let type = ["x/a", "x/b", "y"].randomElement(using: &random) ?? "y"
      var line = #"{"n":\#(number),"t":\#(number),"action":{"type":"\#(type)"}"#
      if number > 1, Bool.random(using: &random) { line += #","cause":1"# }
      if Int.random(in: 0..<8, using: &random) == 0 {
        line += #","rejected":{"reason":"no","message":""}"#
      } else {
        line += states(&random, all: isAfterGap)
        isAfterGap = false
      }
      lines.append(line + "}")
    }
    return lines
  }

  private static func states(
    _ random: inout some RandomNumberGenerator, all: Bool
  ) -> String {
    func digit() -> Int { Int.random(in: 0..<3, using: &random) }
    var states: [String] = []
    if all || Bool.random(using: &random) { states.append(#""a":\#(digit())"#) }
    if all || Bool.random(using: &random) {
      let items = (0...digit()).map { _ in #"{"n":\#(digit())}"# }.joined(separator: ",")
      states.append(#""b":{"items":[\#(items)]}"#)
    }
    return states.isEmpty ? "" : #","states":{\#(states.joined(separator: ","))}"#
  }
}
