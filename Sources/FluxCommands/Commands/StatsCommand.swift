package import FluxInspector
import FluxSystem

extension Command {
  static let stats = Command(
    "stats", group: .look, summary: "Count the steps by type, and measure the log",
    help: """
      The duration is the time of the last step, in seconds since the log was created. The bytes are the size of \
      the log, without compression.
      """
  ) { arguments, console in
    .statistics(try console.session.statistics())
  }

  static let types = Command(
    "types", group: .look, summary: "List the types of actions, the most frequent first",
    help: "Rejected actions count too."
  ) { arguments, console in
    Reply(try console.session.types()) { try $1.types($0.types) }
  }
}

extension Reply {
  package static func statistics(_ statistics: Statistics) -> Reply {
    Reply(statistics) { log, text in
      if let file = log.file { try text.line(file, .heading) }
      try text.line(
        "\(log.steps.counted("step")) in \(log.duration) s, \(log.byteCount.counted("byte"))")
      try text.types(log.types)
    }
  }
}
