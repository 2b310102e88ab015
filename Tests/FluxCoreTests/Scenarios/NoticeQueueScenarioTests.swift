import FluxCore
import Testing

/// The notice queue of WordPressFlux: scenario W7 in four parts.
@Suite struct NoticeQueueScenarioTests {
  struct Notice: StateValue {
    let title: String
    var tag: String?
  }

  struct Notices: StateValue {
    var queue: [Notice] = []
    var isLocked = false

    /// The shown notice.
    var current: Notice? { isLocked ? nil : queue.first }
  }

  enum NoticeAction: Action {
    case post(Notice)
    case dismiss
    case clear(Notice)
    case clearWithTag(String)
    case lock
    case unlock
  }

  struct NoticeStore: Store {
    let initialState = Notices()

    func reduce(_ notices: inout Notices, _ action: NoticeAction, _ step: inout Step) throws {
      switch action {
      case .post(let notice):
        notices.queue.append(notice)
      case .dismiss:
        guard notices.current != nil else { throw Rejection("there is no notice to dismiss") }
        notices.queue.removeFirst()
      case .clear(let notice):
        notices.queue.removeAll { $0 == notice }
      case .clearWithTag(let tag):
        notices.queue.removeAll { $0.tag == tag }
      case .lock:
        notices.isLocked = true
      case .unlock:
        notices.isLocked = false
      }
    }
  }

  let notices = Dispatcher([NoticeStore()]).store(NoticeStore.self)

  private var current: String? { notices.current?.title }

  private func dispatch(_ actions: NoticeAction...) {
    for action in actions { notices.dispatch(action) }
  }

  @Test("W7: after posting A and B the current notice is A, after dismissing it B")
  func dismiss() {
    dispatch(.post(Notice(title: "A")), .post(Notice(title: "B")))
    #expect(current == "A")
    dispatch(.dismiss)
    #expect(current == "B")
    dispatch(.dismiss)
    #expect(current == nil)
    #expect(notices.dispatch(.dismiss).rejection?.message == "there is no notice to dismiss")
  }

  @Test("W7: of A and B, clearing A leaves B")
  func clear() {
    dispatch(.post(Notice(title: "A")), .post(Notice(title: "B")), .clear(Notice(title: "A")))
    #expect(current == "B")
    #expect(notices.queue.count == 1)
  }

  @Test("W7: of A, B and C, clearing the tag of A and C leaves B")
  func clearWithTag() {
    dispatch(
      .post(Notice(title: "A", tag: "upload")), .post(Notice(title: "B")),
      .post(Notice(title: "C", tag: "upload")), .clearWithTag("upload"))
    #expect(current == "B")
    #expect(notices.queue.count == 1)
  }

  @Test("W7: a locked queue shows none, an unlocked one A again; views hear of just that")
  func lock() {
    let shown = Recorded<String?>()
    let receipt = notices.observe(\.current) { shown.append($0?.title) }
    withExtendedLifetime(receipt) {
      dispatch(.post(Notice(title: "A")), .post(Notice(title: "B")), .lock)
      #expect(current == nil)
      dispatch(.post(Notice(title: "C")), .unlock)
      #expect(current == "A")
    }
    #expect(shown.all == [nil, "A", nil, "A"])
  }
}
