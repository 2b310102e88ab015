public import FluxCore
public import Observation

/// The content of an info screen, prepared for a view.
@MainActor
@Observable
public final class InfoViewModel {
  /// `true` while the info is being fetched.
  public private(set) var isLoading = false
  /// The text to show instead of the info.
  public private(set) var message: String?

  private let info: StoreHandle<InfoStore>
  private let sections: Observed<[InfoSection]>

  /// Creates a view model that observes the store until it is released.
  ///
  /// - Parameter info: The store.
  public init(info: StoreHandle<InfoStore>) {
    self.info = info
    sections = info.observed(\.sections)
    info.observe(for: self, \.status) { model, status in model.show(status) }
  }

  /// All lines of the screen, including headings.
  public var rows: [String] {
    sections.value.flatMap { ["# \($0.title)"] + $0.rows }
  }

  /// Fetches the info again.
  ///
  /// - Parameters:
  ///   - file: The calling file; the compiler fills it in.
  ///   - line: The calling line; the compiler fills it in.
  public func refresh(file: StaticString = #fileID, line: UInt = #line) {
    info.dispatch(.fetch, file: file, line: line)
  }

  private func show(_ status: InfoState.Status) {
    isLoading = status == .fetching
    switch status {
    case .idle: message = "Nothing here yet."
    case .failed(let reason): message = "Cannot be shown: \(reason)"
    case .fetching, .completed: message = nil
    }
  }
}
