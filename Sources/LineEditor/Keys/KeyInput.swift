internal import CTerminal
import FluxSystem

/// Waits for keys, signals and wake-ups.
final class KeyInput {
  enum Event: Equatable {
    case press(KeyPress)
    case paste([UInt8])
    case interrupted
    case resized
    /// The process was stopped and continues.
    case resumed
    /// A thread called `cle_wake`.
    case woken
    /// The input has ended: the terminal is gone.
    case ended
  }

  private let descriptor: Int32
  private var decoder = KeyDecoder()
  private var presses: [KeyPress] = []
  private var unread: ArraySlice<UInt8> = []
  private var interrupts = cle_interrupts()
  private var resizes = cle_resizes()
  private var resumptions = cle_resumptions()

  /// The time that an escape waits for the rest of a sequence.
  ///
  /// Terminals send a sequence in one piece. Slow connections and multiplexers delay parts of it by some
  /// milliseconds, and nobody types that fast.
  private static let escapeMilliseconds: Int32 = 50

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Marks all interrupts so far as seen.
  func forgetInterrupts() {
    interrupts = cle_interrupts()
  }

  /// `true` if an event is there without a wait; an escape that may begin a sequence is none yet.
  var isReady: Bool {
    if !presses.isEmpty || !unread.isEmpty || interrupts != cle_interrupts() { return true }
    if resizes != cle_resizes() || resumptions != cle_resumptions() { return true }
    switch wait(0) {
    case .input, .wake, .gone: return true
    case .nothing, .signal: return false
    }
  }

  func next() -> Event {
    while true {
      if let event = signalled() { return event }
      if !presses.isEmpty {
        let press = presses.removeFirst()
        return press.key.name == .pasteStart ? paste() : .press(press)
      }
      if let byte = unread.popFirst() {
        presses += decoder.feed(byte)
        continue
      }
      switch wait(decoder.isPending ? Self.escapeMilliseconds : -1) {
      case .input:
        guard fill(atMost: 1) else { return .ended }
      case .wake:
        cle_drain()
        return signalled() ?? .woken
      case .nothing: presses += decoder.flush()
      case .signal: continue
      case .gone: return .ended
      }
    }
  }

  /// The event of a signal since the last call; nil if there was none.
  private func signalled() -> Event? {
    if Self.changed(&interrupts, cle_interrupts()) { return .interrupted }
    if Self.changed(&resumptions, cle_resumptions()) { return .resumed }
    if Self.changed(&resizes, cle_resizes()) { return .resized }
    return nil
  }

  private static func changed(_ seen: inout UInt32, _ now: UInt32) -> Bool {
    defer { seen = now }
    return seen != now
  }

  private enum Readiness { case input, wake, nothing, signal, gone }

  private func wait(_ milliseconds: Int32) -> Readiness {
    var polled = [
      pollfd(fd: cle_wake_descriptor(), events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // The array outlives the call, which gets its count.
    let count = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    if count < 0 { return errno == EINTR ? .signal : .gone }
    if count == 0 { return .nothing }
    if polled[0].revents & Int16(POLLIN) != 0 { return .wake }
    return polled[1].revents & Int16(POLLIN) != 0 ? .input : .gone
  }

  /// Reads available bytes; returns `false` at the end of the input.
  ///
  /// Keys are read byte by byte, so that text typed ahead stays available for a program that a command starts.
  private func fill(atMost count: Int) -> Bool {
    var bytes = [UInt8](repeating: 0, count: count)
    // The system writes at most the size of the array.
    let found = unsafe read(descriptor, &bytes, count)
    if found < 0 { return errno == EINTR || errno == EAGAIN }
    guard found > 0 else { return false }
    unread = unread + bytes.prefix(found)
    return true
  }

  /// Reads a paste up to its end mark, or up to the end of the input.
  private func paste() -> Event {
    let mark: [UInt8] = Array("\u{1B}[201~".utf8)
    var text: [UInt8] = []
    while true {
      while let byte = unread.popFirst() {
        text.append(byte)
        if byte == mark.last, text.count >= mark.count,
          text.suffix(mark.count).elementsEqual(mark)
        {
          return .paste(text.dropLast(mark.count))
        }
      }
      if Self.changed(&interrupts, cle_interrupts()) { return .interrupted }
      switch wait(-1) {
      case .input where fill(atMost: 4096): continue
      case .wake, .signal, .nothing: cle_drain()
      case .input, .gone: return text.isEmpty ? .ended : .paste(text)
      }
    }
  }
}
