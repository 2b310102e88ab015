import FluxLog

/// `verify`: `{"log","from"?,"to"?,"ignore"?:[path],"tolerance"?,"now"?}`.
///
/// What else there is to set of a verification is not the host's business: to replay twice takes two
/// hosts, and the time is kept by the other side.
struct VerifyRequest: Equatable {
  /// The path of the log.
  var log: String
  /// The positions of the steps; nil for all.
  var range: Range<Int>?
  var ignoring: [IgnoredPath] = []
  var tolerance = 0.0
  /// What the host takes for the present time.
  var now: LogInstant?

  init(log: String, _ options: Verification.Options) {
    self.log = log
    range = options.range
    ignoring = options.ignoring
    tolerance = options.tolerance
    now = options.now
  }

  var options: Verification.Options {
    var options = Verification.Options()
    options.range = range
    options.ignoring = ignoring
    options.tolerance = tolerance
    options.now = now
    // Each batch is a sign of life, and a place where the other side can change its mind.
    options.batchSize = 64
    return options
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("log", log)
    if let range {
      writer.member("from", UInt64(range.lowerBound))
      writer.member("to", UInt64(range.upperBound))
    }
    if !ignoring.isEmpty {
      writer.name("ignore")
      writer.strings(ignoring.map(\.text))
    }
    if tolerance != 0 {
      writer.name("tolerance")
      writer.double(tolerance)
    }
    writer.member("now", now?.description)
    writer.endObject()
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let subject = "the request to verify"
    let message = try Message(json, called: subject)
    log = try message.string("log")
    let from = try message.optionalInteger("from").map { Int(clamping: $0) } ?? 0
    let to = try message.optionalInteger("to").map { Int(clamping: $0) } ?? .max
    range = json["from"] == nil && json["to"] == nil ? nil : from..<max(from, to)
    for path in try message.optionalStrings("ignore") {
      do {
        ignoring.append(try IgnoredPath(path))
      } catch {
        throw MalformedMessage(
          subject: subject, member: "ignore", expected: "paths (\(error))",
          found: .init(stringLiteral: path))
      }
    }
    tolerance = try message.optionalSeconds("tolerance") ?? 0
    if let text = try message.optionalString("now") {
      guard let now = LogInstant(text) else {
        throw MalformedMessage(
          subject: subject, member: "now", expected: "a date and time with a zone",
          found: json["now"])
      }
      self.now = now
    }
  }
}
