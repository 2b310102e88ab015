extension LogFile {
  /// The source lines that an earlier session kept in the index file beside the log; nil if there are none for all steps.
  package func storedSources() -> SourceColumn? {
    guard usesSidecar, isIndexComplete,
      let sources = Sidecar.sources(at: sidecar, header: headerText), sources.count == count
    else { return nil }
    return sources
  }

  /// Keeps the source lines of all steps in the index file beside the log, if there is one that belongs to it.
  ///
  /// - Returns: `true` if they were written.
  /// - Throws: ``LogError`` if the index file cannot be replaced; it is then as it was.
  @discardableResult
  package func storeSources(_ sources: SourceColumn) throws(LogError) -> Bool {
    guard usesSidecar, isIndexComplete, sources.count == count else { return false }
    return try Sidecar.add(sources, at: sidecar, header: headerText)
  }
}
