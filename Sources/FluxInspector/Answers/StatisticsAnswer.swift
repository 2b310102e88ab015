import FluxLog

/// What a log holds, in numbers: `{"steps","types":[{"type","count"}],"bytes","duration"}`.
struct StatisticsAnswer: Answer {
  /// Where the log is, where several are told apart by it: `"file"`.
  let file: String?
  let steps: Int
  let types: TypeCounts
  /// Of the file.
  let byteCount: Int
  /// When the last step was dispatched.
  let duration: LogTime

  /// Reads the numbers of a log that is indexed.
  init(of log: LogFile, file: String? = nil) throws(LogError) {
    self.file = file
    steps = log.count
    types = try TypeCounts(of: log)
    byteCount = log.progress.total
    duration = steps > 0 ? try log.step(at: steps - 1).time : LogTime(microseconds: 0)
  }

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    if let file { json.writer.member("file", file) }
    json.writer.name("steps")
    json.writer.int(steps)
    json.writer.name("types")
    json.writer.types(types)
    json.writer.name("bytes")
    json.writer.int(byteCount)
    json.writer.name("duration")
    json.writer.seconds(duration)
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    if let file { try text.line(file, .heading) }
    try text.line("\(steps.counted("step")) in \(duration.seconds) s, \(byteCount.counted("byte"))")
    try text.types(types)
  }
}
