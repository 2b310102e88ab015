import TestFixtures

/// Recordings of the counter that `CounterHost` serves.
enum CounterLog {
  static let header =
    #"{"flux":"1.0","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"app":{"name":"Counter"},"stores":{"counter":{"initial":{"count":0}}}}"#

  static let add2 =
    #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}},"states":{"counter":{"count":2}}}"#

  /// What the counter comes to.
  static let passing = log(
    #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":3}},"states":{"counter":{"count":5}}}"#
  )

  /// It comes to 5, not to 6.
  static let diverged = log(
    #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":3}},"states":{"counter":{"count":6}}}"#
  )

  /// The counter comes to almost the same.
  static let rounded = log(
    #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":3}},"states":{"counter":{"count":5.000001}}}"#
  )

  /// The counter draws a number, another one each time.
  static let drawn = log(
    #"{"n":2,"t":2.000000,"action":{"type":"counter/draw"},"states":{"counter":{"count":77}}}"#)

  /// The counter comes to the order of a set, another one in each process.
  static let shuffled = log(
    #"{"n":2,"t":2.000000,"action":{"type":"counter/shuffle"},"states":{"counter":{"count":77}}}"#)

  /// The counter refuses in other words.
  static let reworded = log(
    #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":-3}},"rejected":{"reason":"refused","message":"too little","store":"counter"}}"#
  )

  /// The counter begins at 0.
  static let persisted =
    [
      header.replacing(#""count":0"#, with: #""count":7"#),
      #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}},"states":{"counter":{"count":9}}}"#,
    ] + [#"{"end":{"steps":1,"ok":true}}"#]

  /// The counter never comes back from step 2.
  static let hanging = log(#"{"n":2,"t":2.000000,"action":{"type":"counter/hang"}}"#)

  /// The counter leaves at step 2.
  static let leaving = log(#"{"n":2,"t":2.000000,"action":{"type":"counter/exit"}}"#)

  /// The counter asks for another follow-up at step 2.
  static let doubled = [
    header, add2, #"{"n":2,"t":2.000000,"action":{"type":"counter/double"}}"#,
    #"{"n":3,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":7}},"target":"counter","cause":2,"states":{"counter":{"count":9}}}"#,
    #"{"end":{"steps":3,"ok":true}}"#,
  ]

  /// The counter cannot decode the action of step 2.
  static let undecodable = log(
    #"{"n":2,"t":2.000000,"action":{"type":"counter/add"},"states":{"counter":{"count":9}}}"#)

  private static func log(_ step: String) -> [String] {
    [header, add2, step, #"{"end":{"steps":2,"ok":true}}"#]
  }
}
