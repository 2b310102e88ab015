import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

extension PageLog {
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
      return try LogEncoder(order: .declaration).bytes(of: change)
    } catch {
      throw PageError(error, in: timeline)
    }
  }
}
