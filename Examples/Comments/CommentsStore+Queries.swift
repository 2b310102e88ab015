public import FluxCore

/// The interest of a reader of comments.
public enum CommentsQuery: StateValue {
  /// All comments of a site.
  case comments(ofSite: Int)
}

/// Fetching for readers.
extension CommentsStore {
  /// Fetches the comments of sites with new readers, and stops fetching for sites without any.
  public func queriesChanged(
    _ queries: [CommentsQuery], _ state: inout CommentsState, _ step: inout Step
  ) {
    let wanted = queries.map { query in
      switch query {
      case .comments(let site): site
      }
    }
    let loading = state.sites.keys.sorted().filter(state.isFetching(site:))
    for site in loading where !wanted.contains(site) {
      state.sites[site]?.isFetching = false
      step.cancel("fetch \(site)")
    }
    for site in wanted { fetchIfNeeded(site, &state, &step) }
  }

  private func fetchIfNeeded(_ site: Int, _ state: inout CommentsState, _ step: inout Step) {
    let known = state.sites[site, default: CommentsState.Site()]
    guard !known.isFetched, !known.isFetching else { return }
    state.sites[site] = CommentsState.Site(isFetching: true)
    step.effect(
      "fetch \(site)",
      then: { CommentsAction.receiveComments($0, site: site) },
      catch: { .failToFetch(site: site, reason: "\($0)") }
    ) { [service] in
      try await service.comments(ofSite: site)
    }
  }
}
