extension LogHeader {
  /// Appends the header as a line, with its sum and newline.
  func write(to lines: inout LineBuffer) {
    lines.line { line in
      line.member("flux", version.description)
      if let log { line.member("log", log) }
      if let created { line.member("created", created.description) }
      if let seed { line.member("seed", Self.text(ofSeed: seed)) }
      line.member("first", first)
      if let app {
        line.object("app") { object in
          object.member("name", app.name)
          if let version = app.version { object.member("version", version) }
        }
      }
      if let platform {
        line.object("platform") { object in
          object.member("os", platform.os)
          if let swift = platform.swift { object.member("swift", swift) }
        }
      }
      line.object("stores") { object in
        for store in stores { store.write(to: &object) }
      }
      if !redacted.isEmpty { line.member("redacted", redacted) }
    }
  }

  private static func text(ofSeed seed: UInt64) -> String {
    let digits = String(seed, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension LogHeader.Store {
  fileprivate func write(to stores: inout LineBuffer) {
    stores.object(named: name) { store in
      if let type { store.member("type", type) }
      if isFeature { store.member("feature", true) }
      if let initial { store.member("initial", initial) }
    }
  }
}
