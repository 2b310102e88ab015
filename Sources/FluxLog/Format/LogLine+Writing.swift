// Members have the order of docs/log-format.md, "Steps"; `LineBuffer.line` adds the sum and the
// newline.

extension LogStep {
  /// Appends the step as a line.
  func write(to lines: inout LineBuffer) {
    lines.line { line in
      line.member("n", number)
      line.member("t", time)
      line.member("action", action)
      if let target { line.member("target", target) }
      if let cause { line.member("cause", cause) }
      if let effect { line.member("effect", effect) }
      if let from { line.member("from", from) }
      if let source { line.member("at", source) }
      if let took { line.member("took", took) }
      if let states { line.member("states", states) }
      if let patches { line.member("patches", patches) }
      if !removed.isEmpty { line.member("removed", removed) }
      if let rejection { rejection.write(to: &line) }
    }
  }
}

extension LogRejection {
  func write(to line: inout LineBuffer) {
    line.object("rejected") { object in
      object.member("reason", reason)
      object.member("message", message)
      if let store { object.member("store", store) }
    }
  }
}

extension LogMark {
  /// Appends the mark as a line.
  func write(to lines: inout LineBuffer) {
    lines.line { line in
      line.member("mark", text)
      line.member("t", time)
    }
  }
}

extension LogGap {
  /// Appends the gap as a line.
  func write(to lines: inout LineBuffer) {
    lines.line { line in
      line.object("gap") { object in
        object.member("from", from)
        object.member("to", through)
        object.member("why", why.description)
      }
    }
  }
}

extension LogEnd {
  /// Appends the end as a line.
  func write(to lines: inout LineBuffer) {
    lines.line { line in
      line.object("end") { object in
        object.member("steps", steps)
        object.member("ok", isComplete)
        if isContinued { object.member("continued", true) }
      }
    }
  }
}
