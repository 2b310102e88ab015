import FluxCore

extension CallSite {
  /// `true` in debug builds: recorders then write the source line of each dispatch.
  ///
  /// A developer's recording is opened in an editor. A release build sends nothing that names its files.
  package static let isRecordedByDefault: Bool = {
    #if DEBUG
      true
    #else
      false
    #endif
  }()
}
