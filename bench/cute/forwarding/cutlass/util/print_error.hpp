// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tutorials include it and use nothing of it.
#pragma once
