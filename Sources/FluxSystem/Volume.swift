import CPlatform

/// The kind of file system that a file is on.
package enum Volume: Sendable, Equatable {
  /// An overwritten block stays in its place, so a preallocated file always has room.
  case local
  /// An overwritten block moves to a free place, and there may be none.
  case copyOnWrite
  /// The file is on another machine, or another program serves it.
  case network

  /// Classifies the file system of an open file.
  package init(of file: Descriptor) {
    self.init(
      linuxType: flux_volume_type(file.number), isRemote: flux_volume_is_remote(file.number))
  }

  /// Classifies a file system by its number in `linux/magic.h`, and by the flag of Apple's systems.
  ///
  /// APFS counts as local: it writes in place unless blocks are shared with a snapshot or a clone,
  /// and Apple's systems report a missing block later, not to the thread that writes to a map.
  init(linuxType: UInt32, isRemote: Bool) {
    if isRemote || Self.networkTypes.contains(linuxType) {
      self = .network
    } else {
      self = Self.copyOnWriteTypes.contains(linuxType) ? .copyOnWrite : .local
    }
  }

  private static let copyOnWriteTypes: Set<UInt32> = [
    0x9123_683E,  // btrfs
    0xCA45_1A4E,  // bcachefs
    0x2FC1_2FC1,  // zfs
    0xF2F5_2010,  // f2fs
    0x0000_3434,  // nilfs
  ]

  private static let networkTypes: Set<UInt32> = [
    0x0000_6969,  // nfs
    0x0000_517B,  // smb
    0xFE53_4D42,  // smb2
    0xFF53_4D42,  // cifs
    0x0102_1997,  // 9p
    0x6573_5546,  // fuse, which also serves shared folders of virtual machines
    0x786F_4256,  // vboxsf
    0x00C3_6400,  // ceph
    0x0BD0_0BD0,  // lustre
    0x0116_1970,  // gfs2
    0x7461_636F,  // ocfs2
    0x5346_414F,  // afs
    0x6B41_4653,  // kafs
    0x7375_7245,  // coda
  ]
}
