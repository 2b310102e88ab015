package import FluxLog

extension LogFile {
  /// What is to be said of an end that is torn; nil where it is not, as far as the log is indexed.
  package var tornEnd: String? {
    isTorn ? "\(path): the last line is torn, and left out" : nil
  }
}
