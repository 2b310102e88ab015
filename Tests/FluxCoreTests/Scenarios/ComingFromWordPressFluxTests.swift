import FluxCore
import Testing

/// The code of the page "Coming from WordPressFlux".
@Suite struct ComingFromWordPressFluxTests {
  enum SiteAction: Action { case rename(String), publish }

  struct Site: StateValue {
    var title = ""
    var isPublic = false
  }

  struct SiteStore: Store {
    let initialState = Site()

    func reduce(_ site: inout Site, _ action: SiteAction, _ step: inout Step) {
      switch action {
      case .rename(let title): site.title = title
      case .publish: site.isPublic = true
      }
    }
  }

  protocol PostService: Sendable {
    func posts(ofSite site: Int) async throws -> [String]
  }

  enum PostAction: Action {
    case receive([String], site: Int)
    case fail(site: Int)
  }

  enum PostQuery: StateValue { case posts(ofSite: Int) }

  struct Posts: StateValue {
    var titles: [Int: [String]] = [:]
    var isFetching: [Int: Bool] = [:]
  }

  struct PostStore: QueryStore {
    let service: any PostService
    let initialState = Posts()

    func queriesChanged(_ queries: [PostQuery], _ posts: inout Posts, _ step: inout Step) {
      for case .posts(let site) in queries where posts.titles[site] == nil {
        posts.isFetching[site] = true
        step.effect(
          "fetch \(site)", .keeping,
          then: { PostAction.receive($0, site: site) }, catch: { _ in .fail(site: site) }
        ) { [service] in
          try await service.posts(ofSite: site)
        }
      }
    }

    func reduce(_ posts: inout Posts, _ action: PostAction, _ step: inout Step) {
      switch action {
      case .receive(let titles, let site):
        posts.isFetching[site] = false
        posts.titles[site] = titles
      case .fail(let site):
        posts.isFetching[site] = false
      }
    }
  }

  struct PublishedSites: Projection {
    let initialState = 0
    var reactions: [Reaction<Int>] {
      [
        .on(SiteAction.self) { count, action, step in
          if case .publish = action { count += 1 }
        }
      ]
    }
  }

  struct FixedPosts: PostService {
    func posts(ofSite site: Int) -> [String] { ["Hello from \(site)"] }
  }

  @MainActor final class TitleLabel {
    var text = ""
  }

  let shown = Recorded<String>()
  private func show(_ title: String) { shown.append(title) }

  let service = FixedPosts()

  @Test("its actions, transactions and receipts")
  func stores() {
    let dispatcher = Dispatcher([SiteStore(), PostStore(service: service), PublishedSites()])
    let site = dispatcher.store(SiteStore.self)
    let receipt = site.observe(\.title) { title in show(title) }
    let drafts = Recorded<Bool>()
    let draft = dispatcher.observe({
      $0[SiteStore.self].isPublic && $0[PostStore.self].titles.isEmpty
    }) { drafts.append($0) }
    let changes = site.onChange { change in show("\(change.old.title) -> \(change.new.title)") }
    dispatcher.dispatch(SiteAction.rename("Blog"))
    let outcome = site.dispatch(.rename("Blog"))
    #expect(outcome.result == .unchanged)
    dispatcher.dispatch(Batch("launch", [SiteAction.rename("Home"), SiteAction.publish]))
    #expect(shown.all == ["", "Blog", " -> Blog", "Home", "Blog -> Home"])
    #expect(drafts.all == [false, true])
    draft.cancel()
    receipt.cancel()
    changes.cancel()
    site.dispatch(.rename("Gone"))
    #expect(shown.all.count == 5)
    #expect(dispatcher[PublishedSites.self] == 1)
  }

  @Test("its queries")
  func queries() async {
    let dispatcher = Dispatcher([PostStore(service: service)])
    let posts = dispatcher.store(PostStore.self)
    let receipt = posts.query(.posts(ofSite: 7))
    #expect(posts.activeQueries == [.posts(ofSite: 7)])
    _ = await posts.states().first { $0.isFetching[7] == false }
    #expect(posts.titles[7] == ["Hello from 7"])
    receipt.cancel()
    #expect(posts.activeQueries.isEmpty)
  }

  @Test("its main thread")
  @MainActor
  func mainActor() {
    let site = Dispatcher([SiteStore()]).store(SiteStore.self)
    let label = TitleLabel()
    site.observe(for: label, \.title) { label, title in label.text = title }
    site.dispatch(.rename("Blog"))
    #expect(label.text == "Blog")
  }
}
