package import FluxLog

extension ReduxSession {
  /// `true` if a file has no log, but may have a session to import.
  ///
  /// Reads no more than the beginning, unless the members of a session come late.
  package static func isLikely(in file: LogPlace) -> Bool {
    do {
      let source = try ImportSource(file)
      var scanner = try source.scanner()
      switch try scanner.peek() {
      case UInt8(ascii: "["), UInt8(ascii: "\""): return true
      case UInt8(ascii: "{"): break
      default: return false
      }
      try scanner.forEachMember { scanner, name in
        switch name {
        case "flux": throw Found(isSession: try scanner.peek() == UInt8(ascii: "{"))
        case "actionsById", "stagedActionIds", "computedStates", "payload":
          throw Found(isSession: true)
        default: try scanner.skipValue()
        }
      }
    } catch let found as Found {
      return found.isSession
    } catch {
      // Opening the file as a log reports what is wrong with it.
      return false
    }
    return false
  }

  private struct Found: Error {
    let isSession: Bool
  }
}
