import FluxCommands
import FluxInspector
import FluxLog
import FluxScreen
import FluxSubcommands
import FluxTerminal
import LineEditor

/// The whole screen of the terminal, for `browse`.
///
/// Sendable by its use: only commands ask for it, and they run on the editor's thread.
final class ScreenBrowser: BrowseService, @unchecked Sendable {
  private static let patience = Duration.milliseconds(500)
  private static let pace = Duration.milliseconds(100)

  private let editor: LineEditor
  private let printer: Printer
  private var screen: FullScreen?
  private var isDue = ContinuousClock.now

  init(_ editor: LineEditor, _ printer: Printer) {
    self.editor = editor
    self.printer = printer
  }

  func browse(_ session: inout Session, _ settings: Settings) throws {
    let services = session.services
    var walked = session
    walked.services.progress = { [unowned self] in show($0) }
    editor.withFullScreen { screen in
      self.screen = screen
      defer { self.screen = nil }
      let colors = TerminalColors(environment: printer.environment)
      var browser = Browser(
        walked, size: screen.size, printer.usesColor(settings) ? colors : nil)
      run(&browser, on: screen)
      session = browser.session
      session.services = services
    }
  }

  private func run(_ browser: inout Browser, on screen: FullScreen) {
    var drawn: ContinuousClock.Instant?
    while true {
      begin()
      // A key that is held down must not freeze the screen.
      let isDue = drawn.map { ContinuousClock.now - $0 > Self.pace } ?? true
      if isDue || !screen.hasEvent {
        screen.present(browser.frame())
        drawn = .now
      }
      switch screen.next() {
      case .key(let key):
        guard let key = BrowseKey(key) else { continue }
        begin()
        guard browser.press(key) else { return }
        // It has ended a search, and is no key any more.
        if printer.command.isInterrupted { screen.forgetInterrupts() }
      case .resized(let size): browser.resize(size)
      case .woken: continue
      case .ended: return
      }
    }
  }

  /// Begins the work of a key: Ctrl-C ends it, and its progress is shown here alone.
  private func begin() {
    printer.command.begin()
    printer.command.hide()
    isDue = ContinuousClock.now + Self.patience
  }

  private func show(_ progress: FluxInspector.Progress) {
    let now = ContinuousClock.now
    guard now >= isDue else { return }
    isDue = now + Self.pace
    let share = progress.total > 0 ? " \(progress.done * 100 / progress.total)%" : ""
    screen?.presentStatus("\(progress.activity)\(share) (Ctrl-C stops)")
  }
}

extension BrowseKey {
  /// Takes a key of the terminal; nil if it means nothing on the screen.
  fileprivate init?(_ key: Key) {
    switch key.name {
    case .up: self = .up
    case .down: self = .down
    case .left: self = .left
    case .right: self = .right
    case .home: self = .home
    case .end: self = .end
    case .pageUp: self = .pageUp
    case .pageDown: self = .pageDown
    case .tab: self = key.modifiers.contains(.shift) ? .backTab : .tab
    case .enter: self = .enter
    case .escape: self = .escape
    case .backspace: self = .backspace
    case .character("c") where key.modifiers == .control: self = .interrupt
    case .character(let scalar) where key.modifiers == .control:
      self = .control(Character(scalar))
    case .character(let scalar) where key.modifiers.isEmpty: self = .character(Character(scalar))
    case .mouse(let mouse):
      let place = Frame.Place(row: mouse.row, column: mouse.column)
      switch mouse.kind {
      case .press: self = .click(place)
      case .wheelUp: self = .wheel(.backwards, place)
      case .wheelDown: self = .wheel(.forwards, place)
      case .other: return nil
      }
    default: return nil
    }
  }
}
