/// A gzip body that says far more than it weighs: one zero, then as many copies of it as asked for, 258 at a time,
/// which DEFLATE's fixed codes write in 13 bits (1 : 159).
func gzipBomb(ofBytes count: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    var bits: UInt64 = 0
    var width = 0
    func write(_ value: UInt64, _ count: Int) {
        bits |= value << UInt64(width)
        width += count
        while width >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            width -= 8
        }
    }
    write(0b011, 3)  // the last block, fixed codes
    write(0b0000_1100, 8)  // literal 0, its code 00110000 with the first bit lowest
    for _ in 0..<(count / 258) {
        write(0b1010_0011, 8)  // length 258, its code 11000101 likewise
        write(0, 5)  // distance 1
    }
    write(0, 7)  // the end of the block
    write(0, 7)
    return bytes
}
