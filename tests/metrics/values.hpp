// SPDX-License-Identifier: MIT
#pragma once
// Written by clients/metrics.py.
// clang-format off
namespace oracle {
inline constexpr double binary_accuracy = 0.6633333333333333;
inline constexpr double binary_accuracy_at_3 = 0.65;
inline constexpr double precision = 0.6644295302013423;
inline constexpr double precision_at_8 = 0.8070175438596491;
inline constexpr double recall = 0.66;
inline constexpr double recall_at_2 = 0.9466666666666667;
inline constexpr double f1 = 0.6622073074171467;
inline constexpr double precision_by_sklearn = 0.6644295302013423;
inline constexpr double recall_by_sklearn = 0.66;
inline constexpr double f1_by_sklearn = 0.6622073578595318;
inline constexpr double auc = 0.7254444444444444;
inline constexpr double auc_of_50 = 0.7266222222222222;
inline constexpr double auc_by_sklearn = 0.7255555555555555;
inline constexpr double precision_recall_auc = 0.7280223737263918;
inline constexpr double accuracy = 0.5733333333333334;
inline constexpr double top_3_accuracy = 0.9166666666666666;
inline constexpr double top_3_accuracy_of_one_hot = 0.9166666666666666;
inline constexpr double macro_f1 = 0.5705064749445965;
inline constexpr double macro_f1_by_sklearn = 0.5705065258177809;
inline constexpr double cross_entropy = 1.1295026291258674;
inline constexpr double mean_squared_error = 0.09783707484864398;
inline constexpr double mean_absolute_error = 0.269655611382487;
inline constexpr double root_mean_squared_error = 0.31278918595220645;
inline constexpr double mean_absolute_percentage_error = 85.65189508069211;
inline constexpr double log_cosh = 0.047458662770208944;
inline constexpr double r2 = 0.9310446485369694;
inline constexpr double r2_by_sklearn = 0.9310446485369699;
inline constexpr double r2_of_first = 0.9353625701726094;
inline constexpr double mean = -0.011852260254737406;
inline constexpr double confusion_matrix[] = {28, 11, 3, 2, 2, 4, 2, 30, 5, 1, 2, 6, 6, 2, 32, 6, 4, 5, 7, 5, 2, 35, 9, 3, 4, 4, 4, 3, 21, 2, 4, 9, 4, 4, 3, 26};
}  // namespace oracle
