import FluxCore
import Foundation
import TestFixtures
import Testing

/// The code of the page "Coming from Redux Toolkit".
@Suite(.hangLimit) struct ComingFromReduxToolkitTests {
  struct Post: StateValue, Identifiable {
    let id: UUID
    let created: Date
    var title: String
    var likes = 0
  }

  struct Posts: StateValue {
    enum Status: String, StateValue { case idle, pending, failed }

    var entities: Keyed<Post> = []
    var status = Status.idle
  }

  enum PostsAction: Action, Equatable {
    case added(title: String)
    case liked(id: UUID)
    case removed(id: UUID)
    case fetch
    case fetched([Post])
    case rejected
    case aborted
  }

  struct PostsAPI: Sendable {
    let posts: @Sendable () async throws -> [Post]
  }

  struct PostsStore: Store {
    let api: PostsAPI
    let initialState = Posts()

    func reduce(_ posts: inout Posts, _ action: PostsAction, _ step: inout Step) throws {
      switch action {
      case .added(let title):
        posts.entities.append(Post(id: step.uuid(), created: step.now, title: title))
      case .liked(let id): posts.entities[id: id]?.likes += 1
      case .removed(let id): posts.entities.remove(id: id)
      case .fetch:
        guard posts.status != .pending else { throw Rejection("the posts are on their way") }
        posts.status = .pending
        step.effect("fetch", then: PostsAction.fetched, catch: { _ in .rejected }) { [api] in
          try await api.posts()
        }
      case .fetched(let fetched):
        posts.status = .idle
        for post in fetched { posts.entities.updateOrAppend(post) }
      case .rejected: posts.status = .failed
      case .aborted:
        posts.status = .idle
        step.cancel("fetch")
      }
    }
  }

  enum UserAction: Action, Equatable { case signedOut }

  /// The number of posts that the user has written.
  struct WrittenStore: Projection {
    let initialState = 0
    var reactions: [Reaction<Int>] {
      [
        .on(PostsAction.self) { written, action, step in
          if case .added = action { written += 1 }
        },
        .on(UserAction.self) { written, action, step in
          if action == .signedOut { written = 0 }
        },
      ]
    }
  }

  struct Saver: Middleware {
    let save: @Sendable (Posts) -> Void

    func didDispatch(_ step: CompletedStep) {
      if step.changed.contains("posts") { save(step.model[PostsStore.self]) }
    }
  }

  enum SearchAction: Action { case typed(String), found(Int) }

  struct SearchStore: Store {
    let initialState = 0

    func reduce(_ hits: inout Int, _ action: SearchAction, _ step: inout Step) {
      switch action {
      case .typed(let text):
        step.effect("search", .replacing(after: .milliseconds(300))) { send in
          let posts = send[PostsStore.self].entities
          send(SearchAction.found(posts.filter { $0.title.contains(text) }.count))
        }
      case .found(let count): hits = count
      }
    }
  }

  let lines = Recorded<String>()
  let clock = ManualClock()
  let dispatcher: Dispatcher
  let posts: StoreHandle<PostsStore>

  init() {
    let api = PostsAPI(posts: { [Post(id: UUID(), created: Date(), title: "first")] })
    dispatcher = Dispatcher(
      [PostsStore(api: api), WrittenStore(), SearchStore()], clock: clock)
    posts = dispatcher.store(PostsStore.self)
  }

  @Test("its slices, entities and reducers")
  func slices() throws {
    posts.dispatch(.added(title: "milk"))
    let id = try #require(posts.entities.first).id
    posts.dispatch(.liked(id: id))
    #expect(posts.entities[id: id]?.likes == 1)
    #expect(dispatcher[WrittenStore.self] == 1)
    dispatcher.dispatch(UserAction.signedOut)
    #expect(dispatcher[WrittenStore.self] == 0)
    let batch = Batch("tidy up", [PostsAction.removed(id: id), PostsAction.added(title: "tea")])
    dispatcher.dispatch(batch)
    #expect(posts.entities.map(\.title) == ["tea"])
  }

  @Test("its thunks and its listeners")
  func thunks() async {
    let outcome = await posts.run(.fetch)
    #expect(outcome.rejection == nil)
    #expect(posts.status == .idle)
    #expect(posts.entities.map(\.title) == ["first"])
    posts.dispatch(.fetch)
    posts.dispatch(.aborted)
    #expect(posts.status == .idle)
    let titles = Recorded<String>()
    let receipt = posts.onChange { change in
      if case PostsAction.added(let title)? = change.action { titles.append(title) }
    }
    posts.dispatch(.added(title: "milk"))
    receipt.cancel()
    #expect(titles.all == ["milk"])
  }

  @Test("its selectors and its middleware")
  func selectors() {
    let saved = Recorded<Int>()
    dispatcher.use(Saver { saved.append($0.entities.count) })
    let receipt = dispatcher.observe { model in
      "\(model[PostsStore.self].entities.count) posts, \(model[WrittenStore.self]) of them yours"
    } _: { line in
      lines.append(line)
    }
    posts.dispatch(.added(title: "milk"))
    dispatcher.dispatch(UserAction.signedOut)
    receipt.cancel()
    #expect(
      lines.all == [
        "0 posts, 0 of them yours", "1 posts, 1 of them yours", "1 posts, 0 of them yours",
      ])
    #expect(saved.all == [1])
  }

  @Test("its debounced listeners")
  func debounce() async {
    posts.dispatch(.added(title: "milk"))
    dispatcher.dispatch(SearchAction.typed("mil"))
    await clock.sleeper()
    clock.advance(by: .milliseconds(300))
    for await hits in dispatcher.store(SearchStore.self).states() where hits == 1 { break }
  }
}
