import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

extension PageLog {
  private static let encoder = LogEncoder(order: .declaration)

  /// The time that an answer may take; encoding and sending it take the rest of 100 ms.
  static let patience = Duration.milliseconds(80)

  /// Answers a request about the log, and the forks of a client's console; nil if there is no such request.
  func answer(
    _ name: String, _ members: JSON, _ setting: PageSetting, patience: Duration = patience,
    console: PageConsole? = nil, app: (any ReplayApp)? = nil
  ) throws(PageError) -> [UInt8]? {
    let request = try PageRequest(
      members, deadline: .now + patience, console: console?.session, app: app)
    do {
      let rows = try rows(of: request)
      let answer: Answer
      switch name {
      case "info": answer = try info(setting, console)
      case "locate": answer = try locate(request, rows)
      case "steps": answer = try steps(request, rows)
      case "step": answer = try step(request, rows)
      case "overview": answer = try overview(request, rows)
      case "series": answer = try series(request, rows)
      case "tree": answer = try tree(request, rows)
      case "value": answer = try value(request, rows)
      case "difference": answer = try difference(request, rows)
      case "find": answer = try find(request, rows)
      case "writes": answer = try writes(request, rows)
      case "chain": answer = try chain(request, rows)
      case "effects": answer = try effects(request, rows)
      default: return nil
      }
      return try Self.encoder.bytes(of: answer)
    } catch {
      throw PageError(error, in: timeline)
    }
  }

  /// Answers `show`: shows the state at a row in the views of the running app; without a row, the newest one.
  ///
  /// The app answers when it has time, so this may take longer than other requests.
  ///
  /// - Throws: ``PageError`` if there is no running app, or if it does not show the state.
  func show(_ members: JSON, _ services: Services) throws(PageError) -> [UInt8] {
    guard services.live != nil else {
      throw PageError(.notFound, "there is no running app to show this in")
    }
    let request = try PageRequest(members, deadline: .now + Self.patience)
    do {
      let position = request.has("row") ? try request.row("row", in: rows()).row.position : nil
      var session = session(at: position ?? timeline.end, services: services)
      let change = try position == nil ? session.resume() : session.show()
      return try Self.encoder.bytes(of: change)
    } catch {
      throw PageError(error, in: timeline)
    }
  }
}

extension PageError {
  /// The answer that reports the failure.
  var bytes: [UInt8] {
    do {
      return try LogEncoder(order: .declaration).bytes(of: self)
    } catch {
      return Array(#"{"error":{"code":"internal","message":"the failure cannot be written"}}"#.utf8)
    }
  }
}
