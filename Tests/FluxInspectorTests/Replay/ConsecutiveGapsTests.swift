import Counter
import Testing

@testable import FluxInspector

/// Two gaps with only rejected steps between them: verify has to ask the second one for the model after it.
@Suite struct ConsecutiveGapsTests {
  private static func step(_ number: Int, _ amount: Int, _ rest: String = "") -> String {
    #"{"n":\#(number),"t":\#(number),"action":{"type":"counter/add","payload":{"amount":\#(amount)}}"#
      + "\(rest)}"
  }

  private static func written(_ count: Int) -> String {
    #","states":{"counter":{"count":\#(count)}}"#
  }

  private static let rejected =
    #","rejected":{"reason":"refused","message":"below 0","store":"counter"}"#

  @Test(arguments: [
    (
      [
        step(1, 2, written(2)), #"{"gap":{"from":2,"to":2,"why":"paused"}}"#,
        step(3, -90, rejected),
        #"{"gap":{"from":4,"to":3,"why":"restored"},"states":{"counter":{"count":40}}}"#,
        step(4, 1, written(41)), #"{"end":{"steps":3,"ok":true}}"#,
      ],
      """
      passed: LOG: 2 steps compared
        note: step 2 is not in the log (paused); 1 step after it not compared, replay resumes after step 3

      """
    ),
    (
      [
        step(1, 2, written(2)), #"{"gap":{"from":2,"to":2,"why":"dropped"}}"#,
        step(3, -90, rejected), #"{"gap":{"from":4,"to":4,"why":"damaged"}}"#,
        step(5, 1, #","patches":{"counter":[{"op":"replace","path":"/count","value":12}]}"#),
        step(6, 1, written(13)), step(7, 1, written(14)), #"{"end":{"steps":5,"ok":true}}"#,
      ],
      """
      passed: LOG: 2 steps compared
        note: step 2 is not in the log (dropped); 3 steps after it not compared, replay resumes after step 6
        note: step 4 is not in the log (damaged); 2 steps after it not compared, replay resumes after step 6

      """
    ),
    (
      [
        step(1, 2, written(2)), #"{"gap":{"from":2,"to":1,"why":"restored","step":0}}"#,
        step(2, -9, rejected), #"{"gap":{"from":3,"to":2,"why":"imported"}}"#, step(3, 3),
        step(4, 1, written(4)), #"{"end":{"steps":4,"ok":true}}"#,
      ],
      """
      passed: LOG: 4 steps compared
        note: 1 state not compared: the file that was imported did not have it; replay continues from its own state

      """
    ),
  ])
  func verify(_ steps: [String], _ expected: String) throws {
    var inspection = try Inspection(counter: [CounterRecording.header] + steps)
    #expect(try inspection.text("verify") == expected)
  }
}
