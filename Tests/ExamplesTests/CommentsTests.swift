import CommentsExample
import FluxCore
import Testing

@Suite struct CommentsTests {
  typealias Comment = CommentsExample.Comment

  /// A service in memory that refuses the requests that a test names.
  actor FakeService: CommentsService {
    struct Refused: Error {}

    private(set) var log: [String] = []
    private var refuses = false
    private let known = [
      Comment(id: 2, site: 7, parent: 1, text: "Second"),
      Comment(id: 1, site: 7, text: "First"),
      Comment(id: 3, site: 8, text: "Elsewhere"),
    ]

    func refuse() { refuses = true }

    func comments(ofSite site: Int) throws -> [Comment] {
      try note("fetch \(site)")
      return known.filter { $0.site == site }
    }

    func delete(_ comment: Comment) throws {
      try note("delete \(comment.id)")
    }

    func reply(to comment: Comment, text: String) throws -> Comment {
      try note("reply to \(comment.id)")
      return Comment(id: 4, site: comment.site, parent: comment.id, text: text)
    }

    private func note(_ request: String) throws {
      log.append(request)
      if refuses { throw Refused() }
    }
  }

  let service = FakeService()
  let comments: StoreHandle<CommentsStore>

  init() {
    comments = Dispatcher([CommentsStore(service: service)]).store(CommentsStore.self)
  }

  @Test("a query fetches the comments of its site once, and they arrive in one step")
  func query() async {
    let states = comments.states()
    let receipt = comments.query(.comments(ofSite: 7))
    let again = comments.query(.comments(ofSite: 7))
    let seen = await states.prefix(3).reduce(into: [CommentsState]()) { $0.append($1) }
    withExtendedLifetime((receipt, again)) {
      #expect(comments.activeQueries.count == 2)
    }
    #expect(seen.map { $0.isFetching(site: 7) } == [false, true, false])
    #expect(seen.map { $0.comments(ofSite: 7).map(\.id) } == [[], [], [1, 2]])
    #expect(await service.log == ["fetch 7"])
  }

  @Test("a selector of one site does not fire for another")
  func selector() async {
    let (texts, text) = AsyncStream<[String]>.makeStream()
    let receipts = [
      comments.observe({ $0.comments(ofSite: 8).map(\.text) }) { text.yield($0) },
      comments.query(.comments(ofSite: 7)),
      comments.query(.comments(ofSite: 8)),
    ]
    await untilFetched(7)
    await untilFetched(8)
    for receipt in receipts { receipt.cancel() }
    text.finish()
    #expect(await texts.reduce(into: []) { $0.append($1) } == [[], ["Elsewhere"]])
  }

  @Test("a deleted comment disappears at once, and the service is called")
  func delete() async {
    await fetch()
    await comments.run(.delete(id: 1, site: 7))
    #expect(comments.state.comments(ofSite: 7).map(\.id) == [2])
    #expect(await service.log == ["fetch 7", "delete 1"])
  }

  @Test("a comment that the service does not delete comes back, with the failure")
  func deleteFails() async {
    await fetch()
    await service.refuse()
    let states = comments.states()
    await comments.run(.delete(id: 1, site: 7))
    let ids = await states.prefix(3).map { $0.comments(ofSite: 7).map(\.id) }
      .reduce(into: []) { $0.append($1) }
    #expect(ids == [[1, 2], [2], [1, 2]])
    #expect(comments.failure == "Refused()")
  }

  @Test("a reply appears when the service has accepted it")
  func reply() async {
    await fetch()
    await comments.run(.reply(to: 2, site: 7, text: "I agree."))
    let reply = Comment(id: 4, site: 7, parent: 2, text: "I agree.")
    #expect(comments.state.comment(4, ofSite: 7) == reply)
  }

  @Test("a reply that the service refuses leaves the comments as they are")
  func replyFails() async {
    await fetch()
    await service.refuse()
    await comments.run(.reply(to: 2, site: 7, text: "I agree."))
    #expect(comments.state.comments(ofSite: 7).count == 2)
    #expect(comments.failure == "Refused()")
  }

  @Test("a missing comment can neither be deleted nor replied to")
  func unknown() async {
    let message = "there is no comment 9 on site 7"
    #expect(comments.dispatch(.delete(id: 9, site: 7)).rejection?.message == message)
    #expect(comments.dispatch(.reply(to: 9, site: 7, text: "?")).rejection?.message == message)
    #expect(await service.log == [])
  }

  @Test("a fetch that fails says so, and the next reader's query tries again")
  func fetchFails() async {
    await service.refuse()
    let first = comments.query(.comments(ofSite: 7))
    _ = await comments.states().first { $0.failure != nil }
    #expect(comments.failure == "Refused()")
    #expect(!comments.state.isFetching(site: 7))
    let second = comments.query(.comments(ofSite: 7))
    for await _ in comments.states() {
      if await service.log.count == 2 { break }
    }
    withExtendedLifetime((first, second)) {}
  }

  @Test("a fetch is cancelled when the last reader leaves")
  func cancel() async {
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let service = EndlessService(begun: begin, ended: end)
    let comments = Dispatcher([CommentsStore(service: service)]).store(CommentsStore.self)
    let receipt = comments.query(.comments(ofSite: 7))
    for await _ in begun {}
    #expect(comments.state.isFetching(site: 7))
    receipt.cancel()
    #expect(!comments.state.isFetching(site: 7))
    for await _ in ended {}
    #expect(comments.state.comments(ofSite: 7) == [])
  }

  /// Never answers; reports each request and its cancellation.
  struct EndlessService: CommentsService {
    let begun: AsyncStream<Void>.Continuation
    let ended: AsyncStream<Void>.Continuation

    func comments(ofSite site: Int) async throws -> [Comment] {
      begun.finish()
      for await _ in AsyncStream<Never>.makeStream().stream {}
      ended.finish()
      throw CancellationError()
    }

    func delete(_ comment: Comment) {}

    func reply(to comment: Comment, text: String) -> Comment { comment }
  }

  /// Opens a query for site 7 and waits for its comments.
  private func fetch() async {
    let receipt = comments.query(.comments(ofSite: 7))
    await untilFetched(7)
    receipt.cancel()
  }

  private func untilFetched(_ site: Int) async {
    _ = await comments.states().first { !$0.comments(ofSite: site).isEmpty }
  }
}
