#pragma once

namespace dashpot::binary_token {

// The bytes that introduce each value of Houdini's binary JSON.
constexpr char kMagic[] = "\x7fNSJb";
constexpr unsigned kNull = 0x00;
constexpr unsigned kBool = 0x10;
constexpr unsigned kInt8 = 0x11;
constexpr unsigned kInt16 = 0x12;
constexpr unsigned kInt32 = 0x13;
constexpr unsigned kInt64 = 0x14;
constexpr unsigned kReal16 = 0x18;
constexpr unsigned kReal32 = 0x19;
constexpr unsigned kReal64 = 0x1a;
constexpr unsigned kUint8 = 0x21;
constexpr unsigned kUint16 = 0x22;
constexpr unsigned kTokenReference = 0x26;
constexpr unsigned kString = 0x27;
constexpr unsigned kTokenDefinition = 0x2b;
constexpr unsigned kValueSeparator = 0x2c;
constexpr unsigned kTokenRemoval = 0x2d;
constexpr unsigned kFalse = 0x30;
constexpr unsigned kTrue = 0x31;
constexpr unsigned kKeySeparator = 0x3a;
constexpr unsigned kUniformArray = 0x40;
constexpr unsigned kBeginArray = 0x5b;
constexpr unsigned kEndArray = 0x5d;
constexpr unsigned kBeginMap = 0x7b;
constexpr unsigned kEndMap = 0x7d;

// Lengths up to kShortLength are their own byte; else these announce 2, 4 or 8 bytes.
constexpr unsigned kShortLength = 0xf0;
constexpr unsigned kLength16 = 0xf2;
constexpr unsigned kLength32 = 0xf4;
constexpr unsigned kLength64 = 0xf8;

}  // namespace dashpot::binary_token
