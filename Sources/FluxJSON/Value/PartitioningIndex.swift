extension RandomAccessCollection {
  /// Returns the first index whose element belongs to the second partition, or `endIndex`.
  ///
  /// The collection must be partitioned: no element for which the predicate is `false` may follow
  /// one for which it is `true`. A range searches numbers that are not stored in a collection.
  ///
  /// - Complexity: O(log *n*) calls of the predicate.
  @inlinable
  package func partitioningIndex<Failure: Error>(
    where belongsInSecondPartition: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> Index {
    var low = startIndex
    var count = count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if try belongsInSecondPartition(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }

  /// Returns the elements whose keys are in a range; the elements are in the order of their keys.
  ///
  /// - Complexity: O(log *n*) for the first of them, and a call of `key` for each.
  @inlinable
  package func elements<Key>(in range: Range<Key>, by key: (Element) -> Key) -> SubSequence {
    self[partitioningIndex { key($0) >= range.lowerBound }...].prefix { key($0) < range.upperBound }
  }
}
