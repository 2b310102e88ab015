import FluxJSON
import FluxLog

/// Asks which steps changed what: none of it may trap, and what is given has to be in the log.
func checkQuestions(_ log: LogFile) {
  let timeline = Timeline(log)
  do throws(LogError) {
    for position in (0..<log.count).prefix(100) {
      let before = timeline.baseline(of: position)
      precondition((Timeline.start..<position).contains(before.position), "not before \(position)")
      let changed = try timeline.changedStores(at: position)
      precondition(Set(changed).isSubset(of: Set(log.storeNames)), "no store of the log")
      _ = timeline.document(at: position)
      _ = try timeline.line(at: position, withModel: true)
    }
    for store in log.storeNames.prefix(8) {
      for pointer in [Pointer.root, Pointer(tokens: ["items", "0"])] {
        for position in timeline.positions.prefix(100) {
          _ = try timeline.value(pointer, of: store, at: position)
        }
      }
    }
  } catch {
    precondition(!error.message.isEmpty)
  }
}
