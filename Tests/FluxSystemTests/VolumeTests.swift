import TestFixtures
import Testing

@testable import FluxSystem

@Suite struct VolumeTests {
  @Test(
    "file systems are told apart by their numbers",
    arguments: [
      (0xEF53, .local), (0x5846_5342, .local), (0x0102_1994, .local), (0x794C_7630, .local),
      (0, .local), (0x9123_683E, .copyOnWrite), (0x2FC1_2FC1, .copyOnWrite), (0x6969, .network),
      (0xFF53_4D42, .network), (0x6573_5546, .network),
    ] as [(UInt32, Volume)])
  func types(_ type: UInt32, _ volume: Volume) {
    #expect(Volume(linuxType: type, isRemote: false) == volume)
    #expect(Volume(linuxType: type, isRemote: true) == .network)
  }

  @Test("a file that is allocated has its size, and an open one can be overwritten in its middle")
  func allocation() throws {
    let folder = try TemporaryFolder()
    let file = try Descriptor(opening: folder.path("a"), O_RDWR | O_CREAT)
    try file.allocate(10_000)
    #expect(try file.status().size == 10_000)
    try file.write(Array("abc".utf8), at: 5_000)
    try file.setPermissions(0o400)
    let bytes = try folder.bytes(of: "a")
    #expect(bytes.count == 10_000 && Array(bytes[4_999..<5_004]) == [0, 97, 98, 99, 0])
    #expect(try folder.permissions(of: "a") == 0o400)
  }
}
