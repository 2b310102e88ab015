extension LogFile {
  /// The source lines that steps name; their indices are the numbers of ``forEachSource(in:_:)``.
  package var sourceTexts: [String] { names.sources }

  /// Calls `body` with each position in a range whose step names a source line, and the number of that line.
  ///
  /// Uses only the index.
  package func forEachSource(
    in range: Range<Int>, _ body: (_ position: Int, _ source: Int) -> Void
  ) {
    search(range, .forwards, \.sources) { column, part, start in
      for (place, number) in zip(part, column.numbers(in: part)) where number != LogNames.noSource {
        body(start + place, Int(number) - 1)
      }
      return nil
    }
  }
}
